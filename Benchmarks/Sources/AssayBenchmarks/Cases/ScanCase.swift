import CAssay
import CBareLoop

/// Measures only the search for records and fields.
func scanCase(_ options: Options) throws -> CaseReport {
    let rounds = options.rounds(quick: 3, standard: 16)
    let scale = options.size == .quick ? 10 : 1
    let exports = [
        ("10 columns, no quotes", Export.ten(rows: 500_000 / scale, plain: true)),
        ("10 columns, 30 % quoted", Export.ten(rows: 500_000 / scale, quotedPercent: 30)),
        ("15 narrow columns", Export.narrow(rows: 2_500_000 / scale, columns: 15)),
        ("150 narrow columns", Export.narrow(rows: 250_000 / scale, columns: 150)),
    ]
    var table = Table("export", "MB", "fields of bytes", "assay_scan", "assay_scan_plain", "memchr lines", "×plain")
    var raw: [(subject: String, measurements: [Measurement])] = []
    var speeds: [(subject: String, value: Double)] = []

    for (name, export) in exports {
        let (fast, plain) = (CoreScan(plain: false), CoreScan(plain: true))
        let answer = CoreScan.answer(records: export.records, fields: export.fields)
        let (bytes, count) = (export.bytes, export.bytes.count)
        let measured = try race(
            "scan of \(name)", rounds: rounds,
            [
                Contender(name: "assay_scan", work: count, expected: answer) { fast.answer(bytes) },
                Contender(name: "assay_scan_plain", work: count, expected: answer) { plain.answer(bytes) },
                Contender(name: "memchr lines", work: count, expected: export.lineFeeds) {
                    bare_count_lines(bytes, count)
                },
            ])
        raw.append((name, measured))
        let speed = measured.map { 1 / $0.cpuEach }
        speeds.append((name, speed[0]))
        table.add(
            name, figure(Double(count) / 1e6), figure(Double(count) / Double(export.fields)), figure(speed[0]),
            figure(speed[1]), figure(speed[2]), ratio(speed[0] / speed[1]))
    }

    return CaseReport(
        name: "scan",
        notes: """
            Exports in memory, scanned in pieces of \(CoreScan.chunkBytes >> 20) MiB on one thread \
            (\(String(cString: assay_cpu()))); GB/s \
            (10⁹ bytes a second of processor time).
            assay_scan_plain: the state machine that defines the truth. memchr lines: line feeds counted by the C \
            library's
            memchr, which finds no fields and does not know quotes.
            """,
        tables: [table],
        goals: [
            .worst("CSV scan on one core", of: speeds, .atLeast(1.5), unit: " GB/s"),
            Goal(
                name: "CSV scan, seconds a byte, 150 columns against 15", measured: speeds[2].value / speeds[3].value,
                bound: .atMost(1.1)),
        ], raw: raw)
}
