import Foundation

/// One way to do a job, with its expected answer.
///
/// `run` does the job once and returns its answer. The harness compares every answer with `expected`, including those
/// of measured rounds, and ends the whole run on a difference. `work` is the amount of work, in values or bytes.
struct Contender {
    let name: String
    var threads = 1
    let work: Int
    let expected: Int
    let run: () throws -> Int
}

/// The cost of one round.
struct Sample {
    var wall: Double
    /// The user and system time of all threads.
    var cpu: Double
}

/// The cost of all rounds of one contender.
struct Measurement {
    let contender: Contender
    var samples: [Sample] = []

    var name: String { contender.name }

    /// The best round, because disturbances make a round longer, never shorter.
    var best: Sample {
        Sample(wall: samples.map(\.wall).min() ?? .nan, cpu: samples.map(\.cpu).min() ?? .nan)
    }

    /// Nanoseconds of processor time per unit of work, best round. For work on one thread this is the
    /// elapsed time without the time that other processes took.
    var cpuEach: Double { best.cpu * 1e9 / Double(contender.work) }
    /// Nanoseconds of elapsed time per unit of work, best round.
    var wallEach: Double { best.wall * 1e9 / Double(contender.work) }
}

/// The error for a wrong answer, which invalidates all measurements.
struct WrongAnswer: Error, CustomStringConvertible {
    var job: String
    var contender: String
    var expected: Int
    var answer: Int

    var description: String { "\(job): \(contender) answers \(answer) where \(expected) is right" }
}

struct BenchmarkError: Error, CustomStringConvertible {
    var message: String
    var description: String { message }
}

/// Runs all contenders in each round, so that disturbances of the machine affect all contenders. The first round is
/// additional: it warms up and is not counted. Each round begins with another contender. A slow machine runs fewer
/// rounds, but at least three, to limit the total time of the benchmarks.
func race(_ job: String, rounds: Int, _ contenders: [Contender]) throws -> [Measurement] {
    var measurements = contenders.map { Measurement(contender: $0) }
    let start = ContinuousClock.now
    defer { progress("\(job): \(figure(seconds(since: start))) s") }
    for round in 0...rounds {
        if round > 3 && seconds(since: start) > maxRaceSeconds { break }
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

/// The time after which no further round of a race begins.
private let maxRaceSeconds = 6.0

func seconds(since start: ContinuousClock.Instant) -> Double {
    let components = start.duration(to: .now).components
    return Double(components.seconds) + Double(components.attoseconds) / 1e18
}

/// Returns the processor time of all threads of this process so far.
private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
