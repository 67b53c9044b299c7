package node_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// TestDenied holds that a host that hands in nothing gives nothing, and that the
// errors say who could.
func TestDenied(t *testing.T) {
	got := printed(t, &node.Host{}, "/", `
const fs = require('fs')
const cp = require('child_process')
const code = (f) => { try { return f() } catch (e) { return e.code + '|' + e.message } }
const later = (p) => p.then((v) => v, (e) => (e.cause ? e.message + '|' + e.cause.code + '|' + e.cause.message : e.code + '|' + e.message))
out([code(() => fs.readFileSync('/x')), code(() => fs.mkdirSync('/x/y', { recursive: true })), fs.existsSync('/x'), code(() => fs.mkdtempSync('/tmp/x')), code(() => fs.renameSync('/a', '/b'))])
out(await later(fs.promises.readFile('/x')))
out([code(() => cp.spawn('true')), code(() => cp.execFileSync('true')), code(() => cp.execSync('true'))])
out(await later(fetch('http://127.0.0.1/')))
out([code(() => require('crypto').randomUUID()), code(() => require('crypto').randomBytes(1)), require('crypto').createHash('md5').update('').digest('hex')])
out([process.env.PATH, Object.keys(process.env), process.cwd(), process.pid, Date.now(), process.hrtime(), require('os').homedir(), code(() => process.exit()), code(() => process.chdir('/')), code(() => process.kill(1, 0)), code(() => process.binding('fs'))])
console.log('nobody hears')
process.stdout.write('nobody hears')
`)
	const files = "the host grants this script no files; it does so by Host.Files"
	const programs = "ERR_ACCESS_DENIED|child_process is not granted: the host starts no programs for this script; it does so by Host.Processes"
	const chance = "undefined|the host gives no random bytes: it sets Host.RandomBytes to allow them"
	want := []any{
		[]any{"EACCES|EACCES: permission denied, open '/x': " + files, "EACCES|EACCES: permission denied, mkdir '/x/y': " + files, false, "EACCES|EACCES: permission denied, mkdtemp '/tmp/xXXXXXX': " + files, "EACCES|EACCES: permission denied, rename '/a' -> '/b': " + files},
		"EACCES|EACCES: permission denied, open '/x': " + files,
		[]any{programs, programs, programs},
		"fetch failed|ERR_ACCESS_DENIED|the host grants this script no network; it does so by Host.Network",
		[]any{chance, chance, "d41d8cd98f00b204e9800998ecf8427e"},
		[]any{
			"(undefined)",
			[]any{},
			"/", 0.0, 0.0,
			[]any{0.0, 0.0},
			"",
			"ERR_ACCESS_DENIED|process.exit is not available to this script: the process is the host's",
			"ERR_ACCESS_DENIED|process.chdir is not available to this script: its folder is the host's to set",
			"EPERM|kill EPERM", "ERR_ACCESS_DENIED|process.binding(fs) is not available to this script",
		},
	}
	var list []any
	for _, line := range got {
		list = append(list, lines(t, line)...)
	}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
