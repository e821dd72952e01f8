module github.com/toolfacade/toolfacade

go 1.26.5
