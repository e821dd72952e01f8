package docs_test

import (
	"archive/zip"
	"bytes"
	"testing"
)

// archive builds a zip file of parts given as name, content, name, content.
func archive(tb testing.TB, parts ...string) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := w.Write([]byte(parts[i+1])); err != nil {
			tb.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

const (
	relsStart = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	relType   = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
	officeRel = relsStart + `<Relationship Id="r1" Type="` + relType + `officeDocument" Target="`
	wordNS    = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"`
)

// docxOf builds a word processor document with a body and more parts.
func docxOf(tb testing.TB, body string, more ...string) []byte {
	tb.Helper()
	return archive(tb, append([]string{
		"_rels/.rels", officeRel + `word/document.xml"/></Relationships>`,
		"word/document.xml", `<?xml version="1.0"?><w:document ` + wordNS + `><w:body>` + body + `</w:body></w:document>`,
	}, more...)...)
}

func sampleDocx(tb testing.TB) []byte {
	tb.Helper()
	return docxOf(tb, `<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr><w:r><w:t>Report</w:t></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">Revenue </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>rose</w:t></w:r><w:del><w:r><w:delText>fell</w:delText></w:r></w:del><w:r><w:footnoteReference w:id="2"/></w:r></w:p>
<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="5"/></w:numPr></w:pPr><w:r><w:t>first</w:t></w:r></w:p>
<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="5"/></w:numPr></w:pPr><w:r><w:t>second</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p><w:r><w:t>Year</w:t></w:r></w:p></w:tc></w:tr>
<w:tr><w:tc><w:p><w:r><w:t>2024</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>12</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:p><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath></w:p>`,
		"word/_rels/document.xml.rels", relsStart+
			`<Relationship Id="s" Type="`+relType+`styles" Target="styles.xml"/>`+
			`<Relationship Id="n" Type="`+relType+`numbering" Target="numbering.xml"/>`+
			`<Relationship Id="h" Type="`+relType+`header" Target="header1.xml"/>`+
			`<Relationship Id="f" Type="`+relType+`footnotes" Target="footnotes.xml"/></Relationships>`,
		"word/styles.xml", `<w:styles `+wordNS+`><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style></w:styles>`,
		"word/numbering.xml", `<w:numbering `+wordNS+`><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="5"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
		"word/header1.xml", `<w:hdr `+wordNS+`><w:p><w:r><w:t>Confidential</w:t></w:r></w:p></w:hdr>`,
		"word/footnotes.xml", `<w:footnotes `+wordNS+`><w:footnote w:id="2"><w:p><w:r><w:t>By ten percent.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
	)
}

func samplePptx(tb testing.TB) []byte {
	tb.Helper()
	const ns = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	para := func(s string) string { return `<a:p><a:r><a:t>` + s + `</a:t></a:r></a:p>` }
	slide := func(title, body string) string {
		return `<p:sld ` + ns + `><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="body"/></p:nvPr></p:nvSpPr><p:txBody>` + body +
			`</p:txBody></p:sp><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody>` + para(title) + `</p:txBody></p:sp></p:spTree></p:cSld></p:sld>`
	}
	return archive(tb,
		"_rels/.rels", officeRel+`ppt/presentation.xml"/></Relationships>`,
		"ppt/presentation.xml", `<p:presentation `+ns+`><p:sldIdLst><p:sldId id="256" r:id="b"/><p:sldId id="257" r:id="a"/></p:sldIdLst><p:sldSz cx="12700" cy="25400"/></p:presentation>`,
		"ppt/_rels/presentation.xml.rels", relsStart+`<Relationship Id="a" Type="`+relType+`slide" Target="slides/slide1.xml"/><Relationship Id="b" Type="`+relType+`slide" Target="slides/slide2.xml"/></Relationships>`,
		"ppt/slides/slide1.xml", slide("Shown second", para("only")),
		"ppt/slides/slide2.xml", slide("Shown first", para("one")+para("two")),
		"ppt/slides/_rels/slide2.xml.rels", relsStart+`<Relationship Id="n" Type="`+relType+`notesSlide" Target="../notesSlides/notesSlide1.xml"/></Relationships>`,
		"ppt/notesSlides/notesSlide1.xml", slide("", para("Smile")),
	)
}

func sampleXlsx(tb testing.TB) []byte {
	tb.Helper()
	const ns = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	return archive(tb,
		"_rels/.rels", officeRel+`xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml", `<workbook `+ns+`><sheets><sheet name="Sales" sheetId="1" r:id="a"/><sheet name="Secret" sheetId="2" state="hidden" r:id="b"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", relsStart+`<Relationship Id="a" Type="`+relType+`worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="b" Type="`+relType+`worksheet" Target="worksheets/sheet2.xml"/>`+
			`<Relationship Id="s" Type="`+relType+`sharedStrings" Target="sharedStrings.xml"/><Relationship Id="t" Type="`+relType+`styles" Target="styles.xml"/></Relationships>`,
		"xl/sharedStrings.xml", `<sst `+ns+`><si><t>Date</t></si><si><r><t>Am</t></r><r><t>ount</t></r></si></sst>`,
		"xl/styles.xml", `<styleSheet `+ns+`><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/></cellXfs></styleSheet>`,
		"xl/worksheets/sheet1.xml", `<worksheet `+ns+`><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>`+
			`<row r="2"><c r="A2" s="1"><v>45292</v></c><c r="B2" s="2"><v>0.125</v></c></row><row r="3"><c r="A3"><f>SUM(B2)</f></c><c r="B3" t="b"><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="A1:A1"/></mergeCells></worksheet>`,
		"xl/worksheets/sheet2.xml", `<worksheet `+ns+`><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>hidden text</t></is></c></row></sheetData></worksheet>`,
	)
}

const odfNS = `xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d" xmlns:style="s" xmlns:presentation="p" xmlns:fo="f" xmlns:xlink="x"`

func odfOf(tb testing.TB, kind, body string) []byte {
	tb.Helper()
	return archive(tb, "mimetype", "application/vnd.oasis.opendocument."+kind,
		"content.xml", `<office:document-content `+odfNS+`><office:automatic-styles><style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style></office:automatic-styles><office:body>`+body+`</office:body></office:document-content>`)
}

func sampleOdt(tb testing.TB) []byte {
	tb.Helper()
	return odfOf(tb, "text", `<office:text><text:h text:outline-level="1">Report</text:h><text:p>Revenue  <text:span text:style-name="B">rose</text:span><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>By ten.</text:p></text:note-body></text:note></text:p>
<text:list><text:list-item><text:p>first</text:p><text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item></text:list></office:text>`)
}

func sampleOds(tb testing.TB) []byte {
	tb.Helper()
	return odfOf(tb, "spreadsheet", `<office:spreadsheet><table:table table:name="S"><table:table-row><table:table-cell><text:p>Year</text:p></table:table-cell></table:table-row>
<table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="float" office:value="7" table:number-columns-repeated="2"><text:p>7</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row>
<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table></office:spreadsheet>`)
}

func sampleOdp(tb testing.TB) []byte {
	tb.Helper()
	return odfOf(tb, "presentation", `<office:presentation><draw:page draw:name="p1"><draw:frame presentation:class="title"><draw:text-box><text:p>Slide one</text:p></draw:text-box></draw:frame></draw:page>
<draw:page><draw:frame><draw:text-box><text:p>Second page</text:p></draw:text-box></draw:frame></draw:page></office:presentation>`)
}

func sampleEpub(tb testing.TB) []byte {
	tb.Helper()
	return archive(tb, "mimetype", "application/epub+zip",
		"META-INF/container.xml", `<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>`,
		"OPS/book.opf", `<package><metadata><title>A Book</title><creator>Ann</creator></metadata><manifest><item id="b" href="two.xhtml"/><item id="a" href="one.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>`,
		"OPS/one.xhtml", `<html><body><h1>Chapter one</h1><p>It begins.</p></body></html>`,
		"OPS/two.xhtml", `<html><body><h1>Chapter two</h1><p>It ends.</p></body></html>`)
}

const sampleRTF = `{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\title Letter}}\pard Caf\'e9 \b bold\b0  \u8364?5\par Second\par}`

const sampleMail = "From: Ann <ann@example.org>\r\nTo: bob@example.org\r\nSubject: =?iso-8859-1?Q?Caf=E9?=\r\nMIME-Version: 1.0\r\n" +
	"Content-Type: multipart/alternative; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=FC=DFe\r\n" +
	"--x\r\nContent-Type: text/html\r\n\r\n<p>unseen</p>\r\n--x--\r\n"

const sampleNotebook = `{"cells":[{"cell_type":"markdown","source":["# Title\n","text"]},{"cell_type":"code","source":"print(1)","outputs":[{"text":["1\n"]}]}],"metadata":{"language_info":{"name":"python"}},"nbformat":4}`

const sampleHTML = `<!DOCTYPE html><html lang="en"><head><title>Page</title></head><body><nav>Menu</nav><h1>Head</h1><p>Some <b>bold</b> <a href="https://example.org/a">link</a>.</p>
<script>evil()</script><p style="display: none">unseen</p><ol><li>one<ul><li>inner</li></ul></li><li>two</li></ol><table><tr><th rowspan="2">A</th><th>B</th></tr><tr><td>c|d</td></tr></table><pre>x  y</pre></body></html>`

const sampleMarkdown = "---\ntitle: T\n---\n# Head\n\nSome **bold** text.\n\n1. one\n2. two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted\n\n```go\nx := 1\n```\n"

// samples has one small document of each format, by file name.
func samples(tb testing.TB) map[string][]byte {
	tb.Helper()
	return map[string][]byte{
		"a.docx": sampleDocx(tb), "a.pptx": samplePptx(tb), "a.xlsx": sampleXlsx(tb), "a.odt": sampleOdt(tb), "a.ods": sampleOds(tb),
		"a.odp": sampleOdp(tb), "a.epub": sampleEpub(tb), "a.rtf": []byte(sampleRTF), "a.eml": []byte(sampleMail), "a.ipynb": []byte(sampleNotebook),
		"a.html": []byte(sampleHTML), "a.md": []byte(sampleMarkdown), "a.csv": []byte("name;n\nx;1\n\"y;z\";2\n"), "a.tsv": []byte("name\tn\nx\t1\n"),
		"a.txt": []byte("One paragraph\nof two lines.\n\nAnother.\n"),
	}
}
