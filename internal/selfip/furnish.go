package selfip

import (
	"context"

	"github.com/dshkit/dshkit/pkg/filestore"
)

// ignoreAll keeps a folder out of version control: run/ because it is of this
// machine alone, logs/ because it holds what was said in sessions, which is not
// for everybody who clones the repository. Who wants to share it edits the file.
const ignoreAll = "*\n"

// furnish creates the files that explain a library to a person and to git, in a
// library that has none yet (spec/selfip.md 2). They are never overwritten.
func (l *Library) furnish(tx *filestore.Tx) error {
	for _, f := range []struct{ name, content string }{{readmeFile, readme}, {"run/.gitignore", ignoreAll}, {logDir + "/.gitignore", ignoreAll}} {
		if l.source(f.name).Size >= 0 {
			continue
		}
		if err := tx.Replace(f.name, []byte(f.content), filestore.NoSync); err != nil {
			return err
		}
	}
	return nil
}

// furnished reports whether the library has been described to people.
func (l *Library) furnished() bool { return l.source(readmeFile).Size >= 0 }

const readme = `# self-improvement

What agents have learned in this folder, as plain files. Tools of the selfip
family read and write them; you may edit them too.
跨会话记忆：这里是代理在本目录沉淀的经验，均为纯文本，可以手工修改。

| file | content |
| --- | --- |
| memory/facts.md | facts and preferences · 事实与偏好 |
| memory/lessons.md | lessons: what went wrong, why, what helped · 教训 |
| memory/methods.md | methods that worked · 方法 |
| memory/resources.md | sites, tools, documents · 资料 |
| memory/archive/ | entries that no longer fit above; still searched · 归档 |
| memory/quarantine/ | suspicious text, never injected · 隔离 |
| logs/ | session logs, the queue, the journal; not for version control · 日志、队列与变更记录，不入版本库 |
| playbooks/, proposals/ | procedures and proposals · SOP 与提案 |
| config.json, settings.json | scope and settings of this workspace · 配置 |
| run/ | running sessions, locks, caches; can be deleted when no session runs · 没有会话时可删除 |

One entry is one line:

    - [time] (kind) text {key:value,...}

An entry with the key "invalid" is withdrawn but kept.
`

// ChangeFile replaces a file of the library that explains it to other programs,
// under the lock. A file that f leaves empty goes.
func (l *Library) ChangeFile(ctx context.Context, name string, f func(old []byte) []byte) error {
	return l.dir.With(ctx, func(tx *filestore.Tx) error {
		old, err := tx.Read(name)
		if ignoreMissing(err) != nil {
			return err
		}
		if next := f(old); len(next) > 0 {
			return tx.Replace(name, next)
		}
		return ignoreMissing(tx.Remove(name))
	})
}
