package facade

// DocumentReadImageInput selects an image and what to do with it.
type DocumentReadImageInput struct {
	// Document or image; a directory or glob in index.
	Path string `json:"path" example:"docs/chart.png"`
	// Question for a model.
	Instruction string `json:"instruction,omitempty" example:"Which city has the highest bar?"`
	// Recognize text.
	PerformOCR *bool `json:"perform_ocr,omitempty" default:"true"`
	// Chart's axes and series, by a model.
	ExtractChartData bool `json:"extract_chart_data,omitempty" default:"false"`
}

// Effect implements [Effector]: without text, question and chart nothing but
// the image's size is read, and that here.
func (in DocumentReadImageInput) Effect(declared Effect) Effect {
	if !in.Reads() {
		return declared &^ EffectNetwork
	}
	return declared
}

// Reads reports whether more than format and size is asked for.
func (in DocumentReadImageInput) Reads() bool {
	return in.Instruction != "" || in.ExtractChartData || in.PerformOCR == nil || *in.PerformOCR
}

// DocumentReadImageOutput is what an image shows.
type DocumentReadImageOutput struct {
	// Path is relative to the root.
	Path string `json:"path"`
	// Format is png, jpeg and so on, by content.
	Format string `json:"format"`
	// Width is in pixels.
	Width int `json:"width"`
	// Height is in pixels.
	Height int `json:"height"`
	// Text is the recognized text.
	Text string `json:"text"`
	// Words are the recognized words with their places.
	Words []DocumentWord `json:"words,omitempty"`
	// Description is the model's answer to the instruction.
	Description string `json:"description,omitempty"`
	// Chart is the chart that the image shows.
	Chart *DocumentChart `json:"chart,omitempty"`
	// Engines names what read the image, as tesseract or a model.
	Engines []string `json:"engines"`

	attachments
}

// DocumentWord is a recognized word.
type DocumentWord struct {
	// Text is the word.
	Text string `json:"text"`
	// Box is left, top, right and bottom in pixels from the top left.
	Box Box `json:"box"`
	// Confidence is from 0 to 1.
	Confidence float64 `json:"confidence"`
}

// DocumentChart is the data behind a chart.
type DocumentChart struct {
	// Type is bar, line, pie, scatter or another.
	Type string `json:"type"`
	// Title is the title.
	Title string `json:"title,omitempty"`
	// XLabel names the horizontal axis.
	XLabel string `json:"x_label,omitempty"`
	// YLabel names the vertical axis.
	YLabel string `json:"y_label,omitempty"`
	// Series are the rows of data.
	Series []DocumentSeries `json:"series"`
}

// DocumentSeries is one row of a chart's data.
type DocumentSeries struct {
	// Name is what the legend calls it.
	Name string `json:"name,omitempty"`
	// Points are in the order of the horizontal axis.
	Points []DocumentPoint `json:"points"`
}

// DocumentPoint is one value of a chart.
type DocumentPoint struct {
	// Label is the place on the horizontal axis, as printed.
	Label string `json:"label"`
	// Value is the height.
	Value float64 `json:"value"`
}
