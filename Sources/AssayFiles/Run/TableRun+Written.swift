internal import Assay

extension TableRun {
    /// Where in the outputs a chunk belongs.
    struct OutputPlaces {
        var clean = 0
        var rejects = 0
        var changes = 0
        var findings = 0
    }

    /// What has been written so far, and what was counted.
    struct Written {
        /// What was counted of one of the files.
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
        /// By column that is a key by itself: records that such keys have refused.
        var columnFailures: [Int] = []
        var stage = RunProgress.Stage.records
        /// How far the judging is of what waits.
        var waiting = RunProgress(bytes: 0, totalBytes: nil, records: 0, rejected: 0)
        var workers = 0
        var failure: (any Error)?
        /// Why there are not as many workers as were asked for.
        var shortage: (any Error)?
    }
}
