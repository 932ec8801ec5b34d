import Assay
import CAssay
import CBareLoop
import Foundation

@main
struct Benchmarks {
    static func main() throws {
        let p = try Pattern("a+")
        print(p.verdict(of: "aaa"), String(cString: assay_cpu()))
        let values = (0..<200_000).map { "anna.meyer\($0)@example.org" }
        let rx = try NSRegularExpression(pattern: #"\A(?:[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,})\z"#)
        func time(_ name: String, _ f: () -> Int) {
            for _ in 0..<3 {
            let s = ContinuousClock.now; let n = f()
            let d = s.duration(to: .now)
            print(name, n, Double(d.components.attoseconds) / 1e9 / Double(values.count) + Double(d.components.seconds) * 1e9 / Double(values.count), "ns") }
        }
        time("firstMatch") { values.count { rx.firstMatch(in: $0, range: NSRange(location: 0, length: $0.utf16.count)) != nil } }
        time("rangeOfFirst") { values.count { rx.rangeOfFirstMatch(in: $0, range: NSRange(location: 0, length: $0.utf16.count)).location != NSNotFound } }
        time("rangeOfFirst anchored") { values.count { rx.rangeOfFirstMatch(in: $0, options: .anchored, range: NSRange(location: 0, length: $0.utf16.count)).location != NSNotFound } }
        time("numberOfMatches") { values.count { rx.numberOfMatches(in: $0, range: NSRange(location: 0, length: $0.utf16.count)) > 0 } }
        time("numberOfMatches anch") { values.count { rx.numberOfMatches(in: $0, options: .anchored, range: NSRange(location: 0, length: $0.utf16.count)) > 0 } }
    }
}
