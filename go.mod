module github.com/toolfacade/toolfacade

go 1.26.5

require go.uber.org/goleak v1.3.0
