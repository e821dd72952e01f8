module github.com/toolfacade/toolfacade

go 1.26.5

require go.uber.org/goleak v1.3.0

require (
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/spf13/afero v1.15.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)
