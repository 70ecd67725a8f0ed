import CGStreamer

/// Reads fields of a structure: of a message, of caps.
@safe struct GStructureReader {
    private let structure: UnsafePointer<GstStructure>

    init(_ structure: UnsafePointer<GstStructure>) {
        unsafe self.structure = structure
    }

    var name: String {
        guard let name = unsafe gst_structure_get_name(structure) else { return "" }
        return unsafe String(cString: name)
    }

    func string(_ field: String) -> String? {
        guard let value = unsafe gst_structure_get_string(structure, field) else { return nil }
        return unsafe String(cString: value)
    }

    /// A whole number of either sign; elements are not of one mind about it.
    func integer(_ field: String) -> Int64? {
        var signed: gint = 0
        if unsafe gst_structure_get_int(structure, field, &signed) != 0 { return Int64(signed) }
        var unsigned: guint = 0
        if unsafe gst_structure_get_uint(structure, field, &unsigned) != 0 { return Int64(unsigned) }
        return nil
    }

    /// A fraction in thousandths; nil when it is zero, which stands for a variable rate.
    func milli(_ field: String) -> Int64? {
        var numerator: gint = 0
        var denominator: gint = 1
        guard unsafe gst_structure_get_fraction(structure, field, &numerator, &denominator) != 0 else { return nil }
        guard numerator > 0, denominator > 0 else { return nil }
        return (Int64(numerator) * 1000 + Int64(denominator) / 2) / Int64(denominator)
    }

    func structure(_ field: String) -> GStructureReader? {
        guard unsafe gst_structure_has_field_typed(structure, field, gst_structure_get_type()) != 0,
            let value = unsafe gst_structure_get_value(structure, field),
            let nested = unsafe gst_value_get_structure(value)
        else { return nil }
        return unsafe GStructureReader(nested)
    }

    /// The name of the first entry of a caps field, such as `video/x-h264`.
    func mediaType(_ field: String) -> String? {
        guard unsafe gst_structure_has_field_typed(structure, field, gst_caps_get_type()) != 0,
            let value = unsafe gst_structure_get_value(structure, field),
            let caps = unsafe gst_value_get_caps(value), unsafe gst_caps_get_size(caps) > 0,
            let first = unsafe gst_caps_get_structure(caps, 0)
        else { return nil }
        return unsafe GStructureReader(first).name
    }
}
