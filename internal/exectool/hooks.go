package exectool

import "github.com/toolfacade/toolfacade/facade"

// Hooks are what a tool adds to its runner.
type Hooks struct {
	// Tool is the tool's name; List, Start and Read are its actions that list
	// tasks, start one in the background and read its output.
	Tool, List, Start, Read string
	// Finish, when not nil, is called once when a program has ended. It takes
	// what the program left in its directory, which is then removed.
	Finish func(dir string, info *facade.TaskInfo)
}
