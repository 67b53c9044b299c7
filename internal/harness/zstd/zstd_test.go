package zstd_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	packer "github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/harness/zstd"
)

const limit = 8 << 20

// pack packs data by the reference for Go.
func pack(t testing.TB, data []byte, opts ...packer.EOption) []byte {
	t.Helper()
	w, err := packer.NewWriter(nil, append([]packer.EOption{packer.WithEncoderConcurrency(1)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(data, nil)
}

func unpack(packed []byte) ([]byte, error) {
	return io.ReadAll(zstd.NewReader(bytes.NewReader(packed), limit))
}

// samples are texts that pack in different ways.
func samples() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 300_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	few := make([]byte, 200_000)
	for i := range few {
		few[i] = "acgt"[r.IntN(4)]
	}
	var log bytes.Buffer
	words := strings.Fields("session tool result prompt 记忆 压缩 failed {\"type\":\"user\",\"text\": } error exit code the of a")
	for range 60_000 {
		log.WriteString(words[r.IntN(len(words))] + " ")
	}
	skewed := make([]byte, 150_000)
	for i := range skewed {
		skewed[i] = byte(r.ExpFloat64() * 9)
	}
	return map[string][]byte{
		"empty": {}, "one": []byte("x"), "short": []byte("the quick brown fox"), "run": bytes.Repeat([]byte("z"), 1_000_000),
		"noise": noise, "few": few, "log": log.Bytes(), "skewed": skewed,
		"far":   append(append(bytes.Clone(noise), log.Bytes()...), noise...),
		"block": noise[:128<<10], "pattern": bytes.Repeat([]byte("abcdefg"), 100_000),
	}
}

func TestUnpacksWhatOthersPack(t *testing.T) {
	for name, data := range samples() {
		for level := packer.SpeedFastest; level <= packer.SpeedBestCompression; level++ {
			for _, opts := range [][]packer.EOption{
				{packer.WithEncoderLevel(level)},
				{packer.WithEncoderLevel(level), packer.WithEncoderCRC(false), packer.WithWindowSize(1 << 17)},
				{packer.WithEncoderLevel(level), packer.WithSingleSegment(true)},
				{packer.WithEncoderLevel(level), packer.WithAllLitEntropyCompression(true), packer.WithNoEntropyCompression(false)},
			} {
				got, err := unpack(pack(t, data, opts...))
				if err != nil || !bytes.Equal(got, data) {
					t.Errorf("%s, %v: %d bytes, %v, want %d", name, level, len(got), err, len(data))
				}
			}
		}
	}
}

func TestUnpacksStreams(t *testing.T) {
	data := samples()["far"]
	var packed bytes.Buffer
	w, err := packer.NewWriter(&packed, packer.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	for chunk := range bytes.SplitAfterSeq(data, []byte("error ")) { // a size nobody knows, many blocks
		if _, err := w.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]io.Reader{"whole": &packed, "bytewise": iotest.OneByteReader(bytes.NewReader(bytes.Clone(packed.Bytes())))} {
		got, err := io.ReadAll(iotest.OneByteReader(zstd.NewReader(in, limit)))
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %d bytes, %v, want %d", name, len(got), err, len(data))
		}
	}
}

// skippable is a frame that says nothing.
var skippable = []byte{0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'}

func TestFramesInARow(t *testing.T) {
	var packed []byte
	for _, s := range []string{"first, ", "", "second, ", "third"} {
		packed = append(append(packed, pack(t, []byte(s))...), skippable...)
	}
	if got, err := unpack(packed); err != nil || string(got) != "first, second, third" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestWhatIsCutIsGivenUpToThere: all that is whole comes, then the error.
func TestWhatIsCutIsGivenUpToThere(t *testing.T) {
	data := samples()["log"]
	packed := append(pack(t, []byte("first")), pack(t, data)...)
	for _, n := range []int{len(packed) - 1, len(packed) / 2, len(pack(t, []byte("first"))) + 1} {
		got, err := unpack(packed[:n])
		if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.HasPrefix(append([]byte("first"), data...), got) || len(got) < 5 {
			t.Errorf("cut to %d of %d: %d bytes, %v", n, len(packed), len(got), err)
		}
	}
}

func TestRefusals(t *testing.T) {
	whole := pack(t, []byte("some text that is long enough to be told apart"))
	changed := func(at int, to byte) []byte {
		b := bytes.Clone(whole)
		b[at] = to
		return b
	}
	for name, packed := range map[string][]byte{
		"no frame":        []byte("plain text"),
		"checksum":        changed(len(whole)-1, whole[len(whole)-1]^1),
		"reserved bit":    changed(4, whole[4]|8),
		"dictionary":      {0x28, 0xB5, 0x2F, 0xFD, 0x21, 7, 0, 1, 0, 0},
		"window":          {0x28, 0xB5, 0x2F, 0xFD, 0, 0xFF, 1, 0, 0},
		"reserved block":  {0x28, 0xB5, 0x2F, 0xFD, 0x20, 1, 0x0F, 0, 0, 'x'},
		"block too large": {0x28, 0xB5, 0x2F, 0xFD, 0x20, 1, 0x11, 0, 0, 'x', 'y'},
		"less than said":  {0x28, 0xB5, 0x2F, 0xFD, 0x20, 2, 0x09, 0, 0, 'x'},
	} {
		if got, err := unpack(packed); !errors.Is(err, zstd.ErrCorrupt) {
			t.Errorf("%s: %q, %v, want ErrCorrupt", name, got, err)
		}
	}
}

// TestDamageIsNoticed: with a checksum, other bytes never pass for the content.
func TestDamageIsNoticed(t *testing.T) {
	data := samples()["skewed"][:20_000]
	packed := pack(t, data)
	rapid.Check(t, func(t *rapid.T) {
		b := bytes.Clone(packed)
		for range rapid.IntRange(1, 4).Draw(t, "bytes") {
			b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "to")
		}
		got, err := unpack(b)
		if err == nil && len(got) > 0 && !bytes.Equal(got, data) {
			t.Fatalf("%d bytes of damaged input pass for content", len(got))
		}
	})
}

func FuzzUnpack(f *testing.F) {
	for _, data := range samples() {
		f.Add(pack(f, data[:min(len(data), 3000)]))
	}
	f.Add(skippable)
	reference, err := packer.NewReader(nil, packer.WithDecoderConcurrency(1), packer.WithDecoderMaxWindow(limit), packer.WithDecoderMaxMemory(64<<20))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		got, err := io.ReadAll(io.LimitReader(zstd.NewReader(bytes.NewReader(packed), limit), 64<<20))
		want, refused := reference.DecodeAll(packed, nil)
		if err == nil && refused == nil && !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, the reference gives %d others", len(got), len(want))
		}
		if refused == nil && err != nil {
			t.Fatalf("%v, the reference gives %d bytes", err, len(want))
		}
	})
}

func BenchmarkUnpack(b *testing.B) {
	data := samples()["log"]
	packed := pack(b, data)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := unpack(packed); err != nil {
			b.Fatal(err)
		}
	}
}
