extension StageBench {
    /// The figures as JSON, for programs. Times are in seconds.
    package var json: String {
        JSONValue.object([
            ("file", .string(file)), ("bytes", .integer(clean.result.bytes)),
            ("records", .integer(clean.result.records)), ("threads", .integer(clean.result.threads)),
            ("rounds", .integer(rounds)), ("check", check.value), ("clean", clean.value),
        ]).pretty + "\n"
    }
}

extension StageBench.Run {
    fileprivate var value: JSONValue {
        .object([
            ("seconds", rounded(seconds)), ("processorSeconds", rounded(processorSeconds)),
            (
                "serialSeconds",
                .object([
                    ("records", rounded(records)), ("keys", rounded(keys)), ("findings", rounded(findings)),
                    ("outputs", rounded(outputs)), ("ends", rounded(ends)), ("all", rounded(serial)),
                ])
            ),
            ("share", rounded(share)), ("publishingSeconds", rounded(publishing)),
            (
                "model",
                .object([
                    ("law", .string("Amdahl")),
                    (
                        "speedUp",
                        .object(StageBench.modelThreads.map { (String($0), rounded(speedUp(threads: $0))) })
                    ),
                ])
            ),
        ])
    }

    private func rounded(_ number: Double) -> JSONValue { .number((number * 1e6).rounded() / 1e6) }
}
