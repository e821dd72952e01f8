module github.com/toolfacade/toolfacade/docs/index/postgres

go 1.26.5

require (
	github.com/jackc/pgx/v5 v5.12.0
	github.com/toolfacade/toolfacade v0.0.0
	go.uber.org/goleak v1.3.0
)

require (
	github.com/bmatcuk/doublestar/v4 v4.10.4 // indirect
	github.com/emersion/go-message v0.18.2 // indirect
	github.com/gabriel-vasile/mimetype v1.4.16 // indirect
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/jackc/puddle/v2 v2.2.3 // indirect
	github.com/spf13/afero v1.15.0 // indirect
	github.com/yuin/goldmark v1.8.7 // indirect
	golang.org/x/image v0.47.0 // indirect
	golang.org/x/net v0.55.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace github.com/toolfacade/toolfacade => ../../..
