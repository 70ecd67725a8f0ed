import CGStreamer

/// Reads and writes properties of an element; an unknown name is ignored, as elements differ between versions.
@safe struct GObjectProperties {
    private let object: UnsafeMutablePointer<GObject>

    init(_ element: UnsafeMutablePointer<GstElement>) {
        unsafe object = UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self)
    }

    init(object: UnsafeMutablePointer<GObject>) {
        unsafe self.object = unsafe object
    }

    func set(_ name: String, _ value: String) {
        guard unsafe property(name) != nil else { return }
        unsafe gst_util_set_object_arg(object, name, value)
    }

    func set(_ name: String, _ value: Int64) { set(name, String(value)) }

    func set(_ name: String, object value: UnsafeMutablePointer<GstElement>) {
        var holder = GValue()
        unsafe g_value_init(&holder, gst_element_get_type())
        unsafe g_value_set_object(&holder, value)
        unsafe g_object_set_property(object, name, &holder)
        unsafe g_value_unset(&holder)
    }

    func int64(_ name: String) -> Int64? {
        unsafe read(name, as: .int64) { holder in unsafe Int64(g_value_get_int64(holder)) }
    }

    func double(_ name: String) -> Double? {
        unsafe read(name, as: .double) { holder in unsafe g_value_get_double(holder) }
    }

    func bool(_ name: String) -> Bool? {
        unsafe read(name, as: .boolean) { holder in unsafe g_value_get_boolean(holder) != 0 }
    }

    private func property(_ name: String) -> UnsafeMutablePointer<GParamSpec>? {
        guard let typeClass = unsafe UnsafeMutablePointer<GTypeInstance>(OpaquePointer(object)).pointee.g_class else {
            return nil
        }
        return unsafe g_object_class_find_property(UnsafeMutablePointer<GObjectClass>(OpaquePointer(typeClass)), name)
    }

    /// Reads a property, converted to a type of its own unless that is nil.
    func read<Value>(
        _ name: String,
        as type: FundamentalType? = nil,
        _ get: (UnsafeMutablePointer<GValue>) -> Value?
    ) -> Value? {
        guard let property = unsafe property(name) else { return nil }
        var holder = GValue()
        unsafe g_value_init(&holder, type?.rawValue ?? property.pointee.value_type)
        defer { unsafe g_value_unset(&holder) }
        unsafe g_object_get_property(object, name, &holder)
        return unsafe get(&holder)
    }

    /// The type numbers that the headers define with macros Swift cannot see.
    enum FundamentalType: GType {
        case boolean = 20
        case int64 = 40
        case double = 60
    }
}
