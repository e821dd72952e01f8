module github.com/toolfacade/toolfacade

go 1.26.5

require (
	github.com/google/go-cmp v0.7.0
	golang.org/x/text v0.43.0
)
