module github.com/toolfacade/toolfacade

go 1.26.5

require (
	github.com/spf13/afero v1.15.0 // indirect
	golang.org/x/text v0.28.0 // indirect
)
