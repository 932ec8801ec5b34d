import Foundation

/// Horizontal bars in groups, drawn as SVG.
///
///     email   bare C  ▇▇▇▇▇▇▇ 49.5
///             RE2     ▇▇▇▇▇▇▇▇▇▇▇ 81
///     phone   bare C  ▇▇▇ 15.4
struct BarChart {
    let title: String
    /// What the numbers are, and which way is better if that is not plain.
    let unit: String
    var isLogarithmic = false
    /// One for each bar of a group.
    let series: [String]
    /// A value of nil has no bar, and says so.
    let groups: [(name: String, values: [Double?])]

    /// What is Assay's stands out.
    private static let assayColors = ["#c8102e", "#f0808f"]
    private static let colors = [
        "#1b6ca8", "#edae49", "#00798c", "#6a4c93", "#8d96a3", "#b5651d", "#8ac926", "#444444",
    ]
    private static let (right, barHeight, gap, top) = (90.0, 13.0, 10.0, 64.0)
    private static let width = 900.0

    var svg: String {
        let (right, width) = (Self.right, Self.width)
        // As much room as the longest name takes.
        let left = 40 + 6.2 * Double(groups.map(\.name.count).max() ?? 0)
        let present = series.indices.filter { index in groups.contains { $0.values[index] != nil } }
        let groupHeight = Double(present.count) * Self.barHeight + Self.gap
        // One series needs no legend: the unit says what it is.
        let legend = present.count > 1 ? Array(present.enumerated()) : []
        let legendLines = (legend.count + 3) / 4
        let top = Self.top + Double(legendLines) * 18 + 8
        let bottom = top + Double(groups.count) * groupHeight
        let height = bottom + 24
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" \
            font-family="sans-serif" font-size="11">
            <rect width="100%" height="100%" fill="white"/>
            <text x="16" y="26" font-size="16" font-weight="bold">\(escaped(title))</text>
            <text x="16" y="46" fill="#555">\(escaped(unit))\(isLogarithmic ? ", logarithmic" : "")</text>

            """
        for (place, index) in legend {
            let (x, y) = (16 + Double(place % 4) * 220, Self.top + Double(place / 4) * 18)
            text += """
                <rect x="\(number(x))" y="\(number(y - 10))" width="11" height="11" fill="\(color(index))"/>
                <text x="\(number(x + 16))" y="\(number(y))">\(escaped(series[index]))</text>

                """
        }
        for tick in ticks {
            let x = left + extent(tick) * (width - left - right)
            text += """
                <line x1="\(number(x))" y1="\(number(top - 4))" x2="\(number(x))" y2="\(number(bottom))" stroke="#ddd"/>
                <text x="\(number(x))" y="\(number(bottom + 13))" text-anchor="middle" font-size="9.5" fill="#777">\(tickLabel(tick))</text>

                """
        }
        for (row, group) in groups.enumerated() {
            let y = top + Double(row) * groupHeight
            let middle = y + (groupHeight - Self.gap) / 2 + 3
            text += """
                <text x="\(number(left - 8))" y="\(number(middle))" text-anchor="end">\(escaped(group.name))</text>

                """
            for (place, index) in present.enumerated() {
                let barTop = y + Double(place) * Self.barHeight
                let length = group.values[index].map { extent($0) * (width - left - right) } ?? 0
                let label = group.values[index].map(figure) ?? "not measured"
                text += """
                    <rect x="\(number(left))" y="\(number(barTop))" width="\(number(length))" \
                    height="\(number(Self.barHeight - 2))" fill="\(color(index, group.name))"/>
                    <text x="\(number(left + length + 5))" y="\(number(barTop + 9))" font-size="9.5">\(label)</text>

                    """
            }
        }
        return text + "</svg>\n"
    }

    /// The length of a bar, of 1.
    private func extent(_ value: Double) -> Double {
        let values = groups.flatMap(\.values).compactMap { $0 }.filter { $0 > 0 }
        guard let most = values.max(), let least = values.min(), value > 0 else { return 0 }
        guard isLogarithmic, most > least else { return value / most }
        // The least has a bar too: the axis begins at a half of it.
        return log(value / (least / 2)) / log(most / (least / 2))
    }

    /// Round figures along the axis: powers of ten, or fifths of the whole when the axis is even.
    private var ticks: [Double] {
        let values = groups.flatMap(\.values).compactMap { $0 }.filter { $0 > 0 }
        guard let most = values.max(), let least = values.min() else { return [] }
        if isLogarithmic && most > least {
            return (-9...12).map { pow(10, Double($0)) }.filter { $0 > least / 2 && $0 <= most }
        }
        let step = pow(10, floor(log10(most)))
        let fitting = [step / 5, step / 2, step, step * 2].first { most / $0 <= 6 } ?? step
        return Array(stride(from: fitting, through: most, by: fitting))
    }

    private func tickLabel(_ value: Double) -> String {
        String(format: value < 1 ? "%g" : "%.\(value == value.rounded() ? 0 : 1)f", value)
    }

    /// A series of Assay's, or with one series only, a group of Assay's, has a color of Assay's.
    private func color(_ index: Int, _ group: String = "") -> String {
        func isAssay(_ name: String) -> Bool { name.hasPrefix("assay") || name.hasPrefix("verdicts") }
        if series.count == 1 { return isAssay(group) || isAssay(title) ? Self.assayColors[0] : Self.colors[0] }
        let names = series[..<index]
        let ours = names.count(where: isAssay)
        return isAssay(series[index])
            ? Self.assayColors[ours % Self.assayColors.count] : Self.colors[(index - ours) % Self.colors.count]
    }

    private func number(_ value: Double) -> String { String(format: "%.1f", value) }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
