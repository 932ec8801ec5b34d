internal import Assay

extension TableRun {
    /// The places of a chunk in the outputs.
    struct OutputPlaces {
        var clean = 0
        var rejects = 0
        var changes = 0
        var findings = 0
    }

    /// The progress of writing and the counts so far.
    struct Written {
        /// The counts of one input file.
        struct Input {
            /// With its head.
            var bytes = 0
            var records = 0
            var rejected = 0
            var undecided = 0
            /// Records that are not in the sample.
            var leftOut = 0
            /// Blank lines that were not written.
            var skippedLines = 0
        }

        var inputs = [Input()]
        var bytes = 0
        var records = 0
        var clean = 0
        var rejected = 0
        var outputBytes = 0
        var undecided = 0
        var findings = 0
        var dropped = 0
        var first: [Finding] = []
        var changes = 0
        var firstChanges: [Change] = []
        /// By column and repair: how many cells of clean records it changed.
        var repairCounts: [[Int]] = []
        var garbledSample: [UInt8] = []
        var counts: VerdictCounts
        var positions = RejectPositions()
        var firsts = FirstFindings()
        /// Records that each key has refused.
        var keyFailures: [Int] = []
        /// By column that is a single-column key: the number of records that such keys rejected.
        var columnFailures: [Int] = []
        var stage = RunProgress.Stage.records
        /// The progress of checking the chunks that wait.
        var waiting = RunProgress(bytes: 0, totalBytes: nil, records: 0, rejected: 0)
        var workers = 0
        var failure: (any Error)?
        /// The reason that fewer workers run than were requested.
        var shortage: (any Error)?
    }
}
