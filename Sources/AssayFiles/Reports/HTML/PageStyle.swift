/// How pages look, in light and dark, on narrow screens and on paper.
///
/// A test computes the contrasts: of text at least 4.5 to 1, of bars at least 3 to 1 (WCAG 2.2, 1.4.3 and 1.4.11).
enum PageStyle {
    static let css = """
        :root{color-scheme:light dark;
        --page:#f4f6f8;--card:#ffffff;--text:#1b1f24;--quiet:#555e6b;--line:#d8dee6;--track:#e9edf2;
        --bad:#b42318;--bad-bar:#d64a3c;--good:#176c3d;--good-bar:#2e9a63;--warn:#7a5200;--warn-bar:#a8740a;--info-bar:#4a74c9;--link:#0a53be}
        @media screen and (prefers-color-scheme:dark){:root{
        --page:#0f1216;--card:#171b21;--text:#e7ebf0;--quiet:#a2acb9;--line:#2b323c;--track:#262d37;
        --bad:#ff9b8f;--bad-bar:#e26a5d;--good:#72d6a2;--good-bar:#3aa871;--warn:#f1c35b;--warn-bar:#cf9a2e;--info-bar:#7ea2ea;--link:#8db6ff}}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%}
        body{margin:0;background:var(--page);color:var(--text)}
        body{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
        header,main,footer{max-width:76rem;margin:0 auto;padding:0 1.25rem}
        header{padding-top:1.5rem}
        h1{font-size:1.6rem;line-height:1.25;margin:0;overflow-wrap:anywhere}
        h2{font-size:1.05rem;margin:0 0 .6rem}
        p{margin:.3rem 0}
        .kind{color:var(--quiet);font-size:.8rem;letter-spacing:.06em;text-transform:uppercase;margin:0}
        .quiet{color:var(--quiet)}
        .bad-text{color:var(--bad)}.good-text{color:var(--good)}.warn-text{color:var(--warn)}
        main{display:grid;grid-template-columns:repeat(12,minmax(0,1fr));gap:1rem;padding-top:1rem;padding-bottom:1.5rem}
        section{grid-column:1/-1;background:var(--card);border:1px solid var(--line)}
        section{border-radius:.75rem;padding:1rem 1.25rem;min-width:0}
        .half{grid-column:span 6}
        .figure{font-size:2.6rem;line-height:1.1;font-weight:650;margin:0;font-variant-numeric:tabular-nums}
        .verdict{font-size:1.05rem}
        .split{display:flex;height:.75rem;border-radius:.4rem;overflow:hidden;background:var(--track);margin:.8rem 0;gap:2px}
        .split span,.bar span{display:block;height:100%;print-color-adjust:exact;-webkit-print-color-adjust:exact}
        .bad{background:var(--bad-bar)}.good{background:var(--good-bar)}.warn{background:var(--warn-bar)}.info{background:var(--info-bar)}
        .counts{display:grid;grid-template-columns:repeat(auto-fit,minmax(5rem,1fr));gap:.5rem 1rem;margin:0}
        .counts div{display:flex;flex-direction:column}
        .counts dt{color:var(--quiet);font-size:.85rem}
        .counts dd{margin:0;font-size:1.15rem;font-variant-numeric:tabular-nums}
        .bar{display:inline-block;width:100%;min-width:4rem;height:.6rem;border-radius:.3rem;background:var(--track);overflow:hidden;vertical-align:middle}
        .table{overflow-x:auto}
        table{border-collapse:collapse;width:100%;font-size:.93rem}
        caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        th,td{text-align:left;padding:.35rem .9rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:top}
        tbody tr:last-child>*{border-bottom:0}
        thead th{color:var(--quiet);font-weight:600;font-size:.82rem;white-space:nowrap}
        tbody th{font-weight:500}
        .number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
        .name{overflow-wrap:anywhere}.table .name{overflow-wrap:break-word;display:inline-block;max-width:22rem}
        td .bar{width:8rem}.half td .bar{width:100%}.half td:nth-child(2){width:45%}
        code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em;background:var(--track);padding:.08em .3em;border-radius:.25em;overflow-wrap:anywhere}
        code.value{white-space:pre-wrap}
        .strip{display:block;width:100%;height:5rem}
        .strip .ground{fill:var(--track)}.strip .bad{fill:var(--bad-bar)}
        .axis{display:flex;justify-content:space-between;color:var(--quiet);font-size:.82rem;font-variant-numeric:tabular-nums}
        ol.next{margin:0;padding-left:1.3rem}ol.next li{margin:.25rem 0}
        details{margin-top:.6rem}summary{cursor:pointer;color:var(--link)}
        a{color:var(--link)}
        :focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:.2rem}
        .skip{position:absolute;left:-99rem;top:.5rem;background:var(--card);padding:.4rem .8rem}
        .skip:focus{left:.5rem}
        .cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr));gap:1rem}
        .cards article{border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;min-width:0}
        .cards h3{font-size:1rem;margin:0 0 .3rem;overflow-wrap:anywhere}
        .cards table{font-size:.88rem}.cards td .bar{width:5rem}
        .cards .strip{height:3rem}.strip .info{fill:var(--info-bar)}
        ul.notes{margin:.3rem 0;padding-left:1.2rem}
        footer{padding-bottom:2rem;font-size:.85rem}
        @media (max-width:52rem){.half{grid-column:1/-1}header,main,footer{padding-left:.75rem;padding-right:.75rem}section{padding:.85rem .9rem}
        .table .name{overflow-wrap:anywhere;min-width:11ch}
        .cards{grid-template-columns:minmax(0,1fr)}td .bar{width:4rem}}
        @media print{body{background:#fff;font-size:11pt}section{break-inside:avoid;border-color:#bbb}section.long{break-inside:auto}
        tr{break-inside:avoid}thead{display:table-header-group}.table{overflow:visible}.skip,summary{display:none}main{gap:.6rem}}
        """
}
