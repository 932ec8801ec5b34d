internal import Assay

/// A self-contained page: it loads no other files and runs no scripts.
struct HTMLPage {
    /// The title of the window.
    let title: String
    /// The top of the page: its kind, its heading as HTML, and a description of the file.
    let kind: String
    let heading: String
    let about: String
    /// The sections, as HTML.
    let sections: [String]

    var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="generator" content="assay \(assayVersion)">
        <title>\(HTMLText.escaped(title, limit: 120))</title>
        <style>
        \(PageStyle.css)
        </style>
        </head>
        <body>
        <a class="skip" href="#main">Skip to the figures</a>
        <header>
        <p class="kind">\(HTMLText.escaped(kind))</p>
        <h1>\(heading)</h1>
        <p class="quiet">\(HTMLText.escaped(about))</p>
        </header>
        <main id="main">
        \(sections.filter { !$0.isEmpty }.joined(separator: "\n"))
        </main>
        <footer><p class="quiet">Made by assay \(assayVersion).</p></footer>
        </body>
        </html>

        """
    }

    /// Returns a section of the page with its own heading, or an empty text for an empty body.
    static func section(_ heading: String, _ body: String, kind: String = "") -> String {
        if body.isEmpty { return "" }
        let id = heading.lowercased().split(separator: " ").joined(separator: "-")
        return """
            <section\(kind.isEmpty ? "" : " class=\"\(kind)\"") aria-labelledby="\(id)">
            <h2 id="\(id)">\(HTMLText.escaped(heading))</h2>
            \(body)
            </section>
            """
    }
}
