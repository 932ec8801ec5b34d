/// The name that the author of `word` most likely meant, or `nil` if no name is near: for "did you mean".
///
/// A third of the letters may be wrong, missing, added or swapped with their neighbor, after differences in letter
/// case, `_`, `-` and spaces are removed. Names of up to three letters may differ only in these. Names that differ only
/// in their digits are not near, such as `q1_2024` and `q1_2025`. If two names are equally near, the result is `nil`.
/// O(letters² · names).
package func closestName(to word: String, among names: some Sequence<String>) -> String? {
    let folded = fold(word)
    guard !folded.isEmpty, folded.count <= 100 else { return nil }
    var best: (name: String, distance: Int)?
    var isTie = false
    let digits = folded.filter(\.isNumber)
    let others = folded.filter { !$0.isNumber }
    for name in names where name != word {
        let candidate = fold(name)
        let allowed = max(1, max(folded.count, candidate.count) / 3)
        guard abs(folded.count - candidate.count) <= allowed else { continue }
        let distance = editDistance(folded, candidate)
        // A name must share at least one letter with the word.
        guard distance <= allowed, distance < max(folded.count, candidate.count) else { continue }
        if distance > 0 {
            if max(folded.count, candidate.count) <= 3 { continue }
            let itsDigits = candidate.filter(\.isNumber)
            if !digits.isEmpty, !itsDigits.isEmpty, digits != itsDigits, others == candidate.filter({ !$0.isNumber }) {
                continue
            }
        }
        if best == nil || distance < best!.distance {
            (best, isTie) = ((name, distance), false)
        } else if distance == best!.distance, name != best!.name {
            isTie = true
        }
    }
    return isTie ? nil : best?.name
}

private func fold(_ word: String) -> [Character] {
    word.lowercased().filter { $0 != "_" && $0 != "-" && !$0.isWhitespace }.map { $0 }
}

/// The distance of optimal string alignment: insertions, deletions, substitutions and swaps of neighbors.
private func editDistance(_ first: [Character], _ second: [Character]) -> Int {
    if first.isEmpty || second.isEmpty { return max(first.count, second.count) }
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for i in 1...first.count {
        var row = [i]
        row.reserveCapacity(second.count + 1)
        for j in 1...second.count {
            let isSame = first[i - 1] == second[j - 1]
            var cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1))
            if i > 1, j > 1, first[i - 1] == second[j - 2], first[i - 2] == second[j - 1] {
                cost = min(cost, beforeLast[j - 2] + 1)
            }
            row.append(cost)
        }
        (beforeLast, last) = (last, row)
    }
    return last[second.count]
}
