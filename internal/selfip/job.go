package selfip

import (
	"context"
	"encoding/json"
	"time"

	"github.com/dshkit/dshkit/pkg/filestore"
)

// claimDir holds a file for each kind of long work that is being done in a
// library. The file names the process, so that one that was killed keeps nobody
// out; the lock is free meanwhile.
const claimDir = "run/claims"

// claimAge is after how long a claim counts for nothing when nobody knows
// whether its process still runs. A model's answer takes 45 seconds at most.
const claimAge = 10 * time.Minute

// job is a kind of work of which there is one at a time in a library, over all
// processes.
type job struct {
	lib   *Library
	name  string
	owner string
}

// claimed is the content of a claim.
type claimed struct {
	Owner string    `json:"owner"`
	Time  time.Time `json:"t"`
}

// begin claims work of a kind. It is not ok when somebody else does it.
func (m *Memory) begin(ctx context.Context, lib *Library, kind string) (j job, ok bool, err error) {
	j = job{lib, claimDir + "/" + kind + ".json", m.owner()}
	err = lib.dir.With(ctx, func(tx *filestore.Tx) error {
		if ok = !m.busy(lib, kind); !ok {
			return nil
		}
		data, err := json.Marshal(claimed{j.owner, m.Now()})
		if err != nil {
			return err
		}
		return tx.Replace(j.name, append(data, '\n'), filestore.NoSync)
	})
	return j, ok && err == nil, err
}

// busy reports whether somebody does work of a kind in a library.
func (m *Memory) busy(lib *Library, kind string) bool {
	data, err := lib.read(claimDir + "/" + kind + ".json")
	if err != nil || data == nil {
		return false
	}
	var c claimed
	if json.Unmarshal(data, &c) != nil || m.gone(c.Owner) {
		return false
	}
	age := m.Now().Sub(c.Time)
	return age < claimAge && age > -claimAge
}

// end gives a claim up, unless it has become another's meanwhile.
func (j job) end(ctx context.Context) error {
	return j.lib.dir.With(context.WithoutCancel(ctx), func(tx *filestore.Tx) error {
		data, err := tx.Read(j.name)
		if err != nil {
			return ignoreMissing(err)
		}
		var c claimed
		if json.Unmarshal(data, &c) == nil && c.Owner != j.owner {
			return nil
		}
		return ignoreMissing(tx.Remove(j.name, filestore.NoSync))
	})
}
