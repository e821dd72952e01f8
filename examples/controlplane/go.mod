module github.com/toolfacade/toolfacade/examples/controlplane

go 1.26.5

require (
	github.com/google/go-cmp v0.7.0
	github.com/toolfacade/toolfacade v0.0.0
	go.etcd.io/bbolt v1.4.3
	go.uber.org/goleak v1.3.0
)

require (
	github.com/bahlo/generic-list-go v0.2.0 // indirect
	github.com/buger/jsonparser v1.1.2 // indirect
	github.com/creack/pty v1.1.24 // indirect
	github.com/invopop/jsonschema v0.14.0 // indirect
	github.com/pb33f/ordered-map/v2 v2.3.1 // indirect
	go.yaml.in/yaml/v4 v4.0.0-rc.2 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/toolfacade/toolfacade => ../..
