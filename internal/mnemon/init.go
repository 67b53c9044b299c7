package mnemon

import "context"

// InitReport says what was there and what was made.
type InitReport struct {
	Folder string
	Made   []string // names of files, in order; empty: all was there
}

// Init makes the files of a workspace that are not there yet.
func (w *Workspace) Init(ctx context.Context) (InitReport, error) {
	report := InitReport{Folder: w.dir.Path("."), Made: []string{}}
	for _, file := range []struct{ name, text string }{
		{entriesFile, entriesText},
		{ignoreFile, "/" + turnFolder + "/\n/" + pluginFolder + "/*\n!/" + pluginFolder + "/package.json\n!/" + pluginFolder + "/package-lock.json\n/" + tempFolder + "/\n/.lock\n"},
	} {
		made := false
		err := w.dir.Update(ctx, file.name, func(old []byte) ([]byte, error) {
			if old != nil {
				return nil, nil
			}
			made = true
			return []byte(file.text), nil
		})
		if err != nil {
			return report, err
		}
		if made {
			report.Made = append(report.Made, file.name)
		}
	}
	return report, nil
}

// entriesText is an empty list that says what can be in it.
const entriesText = `# The plugins whose memory this workspace composes, one Entry each:
#   - id: work               # its stable identity; Source keys are made of it
#     name: ./plugins/notes  # a folder, or a package that npm installed
#     config: {}             # handed to the plugin; ${workspace} and ${home} are filled in
#     disabled: false
# "dsh-mnemon plugin add" adds one and allows its code to run on this machine.
[]
`
