/// Scores of a view by the formulas that the vendor has published; all from 0 to 100.
package enum ViewScores {
    /// Start-up: 80 for 2 s, 50 for 8 s.
    package static func startup(milliseconds: Int64) -> Double {
        rounded(800 / (8 + Double(max(0, milliseconds)) / 1000))
    }

    /// Smoothness, from how often and for which part of the time playback stalled.
    package static func smoothness(rebufferCount: Int64, rebufferFraction: Double) -> Double {
        let half = Double(rebufferCount) / 2
        let byCount = 100 / (1 + half * half).squareRoot()
        return rounded((byCount + 100 * decay(10 * rebufferFraction)) / 2)
    }

    /// Quality of the picture, from its strongest and its mean upscaling.
    package static func quality(strongestUpscaling: Double, meanUpscaling: Double) -> Double {
        rounded(100 * decay(0.33 * (0.15 * strongestUpscaling + 0.85 * meanUpscaling)))
    }

    /// Success: 0 for a view that failed, 50 for one that was left before it started, 100 for the others.
    package static func success(failed: Bool, leftBeforeStart: Bool) -> Double {
        failed ? 0 : leftBeforeStart ? 50 : 100
    }

    /// e to the power of minus a number that is not negative.
    ///
    /// The C library's function may differ in its last digit from one processor to another; this one does not.
    static func decay(_ exponent: Double) -> Double {
        guard exponent > 0 else { return 1 }
        guard exponent < 700 else { return 0 }
        let whole = Int(exponent)
        let fraction = exponent - Double(whole)
        var term = 1.0
        var sum = 1.0
        for index in 1...20 {
            term *= -fraction / Double(index)
            sum += term
        }
        for _ in 0..<whole { sum *= 0.367_879_441_171_442_33 }
        return sum
    }

    /// To one place behind the point.
    private static func rounded(_ score: Double) -> Double { Double(Int64(score * 10 + 0.5)) / 10 }
}
