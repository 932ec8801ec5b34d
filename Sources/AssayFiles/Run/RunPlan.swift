internal import Assay
internal import AssayRules
internal import CAssay

/// The decisions about a run that hold from its first chunk to its last. Immutable, and shared by all workers.
final class RunPlan: Sendable {
    let table: PreparedTable
    let outputs: Outputs
    /// The header of the clean records and, without `--annotate`, of the rejects.
    let prefix: [UInt8]
    /// The fields of JSON Lines, with the templates of their lists. `nil` for CSV.
    let json: JSONTable?
    let findings: FindingPlan
    /// The form of findings in general, and for each file.
    let style: FindingStyle
    let styles: [FindingStyle]
    /// The templates of findings, by file.
    let templates: [FindingTemplates]
    /// The maximum number of workers.
    let threads: Int
    /// Whether all outputs are new files, to which workers can write concurrently.
    let areFiles: Bool

    var cleaner: Cleaner { table.cleaner }
    var options: CleanerOptions { table.cleaner.options }
    var parts: [PreparedTable.Part] { table.parts }
    var head: TableHead { table.head }
    var bound: BoundSchema { table.bound }
    /// Whether each worker has a processor of its own, so that waiting workers may spin.
    var spins: Bool { threads <= processorCount }

    init(_ table: PreparedTable, _ outputs: Outputs) {
        let options = table.cleaner.options
        (self.table, self.outputs, prefix) = (table, outputs, table.prefix)
        threads = max(1, options.threads ?? processorCount)
        areFiles = [outputs.clean, outputs.rejects, outputs.findings, outputs.changes].allSatisfy { sink in
            sink.map { $0.stagedFile?.isNewFile ?? false } ?? true
        }
        findings = FindingPlan(
            isWritten: outputs.findings != nil, showValues: options.showValues, limit: options.maxFindings,
            kept: max(options.keptFindings, outputs.keptFindings), annotate: options.annotate && outputs.rejects != nil)
        let style = FindingStyle(
            outputs.findingsAsCSV ? .csv : .jsonLines, dialect: table.head.dialect, isJSON: table.json != nil)
        let names = table.parts.map(\.source.name)
        self.style = style
        styles = names.count == 1 ? [style] : names.map { style.naming($0) }
        templates = table.findingTemplates(styles)
        var json = table.json
        json?.listTemplates = table.listTemplates(templates)
        self.json = json
    }

    /// The position of each column of the result, in its order.
    var columnPositions: [Int] {
        ([bound] + (json?.lists ?? [])).flatMap { $0.columns.map(\.position) }.sorted()
    }
}

extension PreparedTable {
    /// Returns the templates of findings by file.
    fileprivate func findingTemplates(_ styles: [FindingStyle]) -> [FindingTemplates] {
        zip(styles, parts).map { style, part in
            let structure = StructureTemplates(
                style: style, columnCount: head.columnCount, header: head.header, limits: cleaner.rules.limits,
                decodedFrom: part.encoding.isUTF8 ? nil : part.encoding.name)
            return FindingTemplates(bound, style: style, structure: structure, json: json?.paths)
        }
    }

    /// Returns the templates of findings in each list, by file.
    fileprivate func listTemplates(_ templates: [FindingTemplates]) -> [[FindingTemplates]] {
        (json?.lists ?? []).map { list in
            templates.map { FindingTemplates(list, style: $0.style, structure: $0.structure, json: json?.paths) }
        }
    }
}
