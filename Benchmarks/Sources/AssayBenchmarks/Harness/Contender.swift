import Foundation

/// One way to do a job, and how many answers it must come to.
///
/// `run` does the job once and returns its answer; the harness compares it with `expected` every time, also while it
/// measures, and ends the whole run on a difference. `work` is what it went through: values, or bytes.
struct Contender {
    let name: String
    var threads = 1
    let work: Int
    let expected: Int
    let run: () throws -> Int
}

/// What one round cost.
struct Sample {
    var wall: Double
    /// Of all threads, user and system.
    var cpu: Double
    /// Largest resident memory, where a command was run, with the files that it maps.
    var peakBytes: Int?
    /// The same without files; nil when the command was gone before anybody looked.
    var ownBytes: Int?
}

/// What all rounds of one contender cost.
struct Measurement {
    let contender: Contender
    var samples: [Sample] = []
    /// Why there are no samples, such as "over 60 s".
    var without: String?

    var name: String { contender.name }

    /// The best round. What disturbs a measurement makes it longer, never shorter.
    var best: Sample {
        Sample(
            wall: samples.map(\.wall).min() ?? .nan, cpu: samples.map(\.cpu).min() ?? .nan,
            peakBytes: samples.compactMap(\.peakBytes).max(), ownBytes: samples.compactMap(\.ownBytes).max())
    }

    /// Nanoseconds of processor time for one unit of work, best and median round. For work on one thread this is the time it
    /// takes, less what other processes of the machine took away.
    var cpuEach: Double { best.cpu * 1e9 / Double(contender.work) }
    var medianCPUEach: Double { median(samples.map(\.cpu)) * 1e9 / Double(contender.work) }
    /// Nanoseconds on the clock for one unit of work, best round.
    var wallEach: Double { best.wall * 1e9 / Double(contender.work) }
}

func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// An answer was wrong: nothing that was measured counts.
struct WrongAnswer: Error, CustomStringConvertible {
    var job: String
    var contender: String
    var expected: Int
    var answer: Int

    var description: String { "\(job): \(contender) answers \(answer) where \(expected) is right" }
}

/// Lets contenders run one after the other, round by round, so that whatever happens on the machine happens to all of them.
/// One round more than asked for: the first warms up and is not counted. Each round begins with another contender. On a
/// slow machine there are fewer, but three: the whole of the benchmarks has a time that people can wait for.
func race(_ job: String, rounds: Int, _ contenders: [Contender]) throws -> [Measurement] {
    var measurements = contenders.map { Measurement(contender: $0) }
    let start = ContinuousClock.now
    defer { progress("\(job): \(figure(seconds(since: start))) s") }
    for round in 0...rounds {
        if round > 3 && seconds(since: start) > mostSecondsOfRace { break }
        for turn in contenders.indices {
            let index = (turn + round) % contenders.count
            let contender = contenders[index]
            let (cpu, wall) = (processorSeconds(), ContinuousClock.now)
            let answer = try contender.run()
            let sample = Sample(wall: seconds(since: wall), cpu: processorSeconds() - cpu)
            guard answer == contender.expected else {
                throw WrongAnswer(job: job, contender: contender.name, expected: contender.expected, answer: answer)
            }
            if round > 0 { measurements[index].samples.append(sample) }
        }
    }
    return measurements
}

/// When no further round of a race begins.
private let mostSecondsOfRace = 6.0

func seconds(since start: ContinuousClock.Instant) -> Double {
    let components = start.duration(to: .now).components
    return Double(components.seconds) + Double(components.attoseconds) / 1e18
}

/// Processor time of this process so far, all threads.
private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
