# make demo   shows the library at work
# make test   every check, on a fresh machine too: installs what it needs
# make bench  side-by-side benchmarks against other tools
.PHONY: demo test bench generate lint

demo:
	@internal/scripts/need.sh go
	go run ./examples/quickstart

test:
	@internal/scripts/need.sh test
	internal/scripts/check.sh

bench:
	@internal/scripts/need.sh bench
	internal/scripts/bench.sh

generate:
	go generate ./...

lint:
	internal/scripts/lint.sh
