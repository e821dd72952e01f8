module github.com/toolfacade/toolfacade/bench

go 1.26.5
