package fiber_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/google/go-cmp/cmp"
)

// slow is a consumer whose Apply, and whose disposer, take a second each.
func slow(d *diary) fiber.Plugin {
	began := time.Now()
	at := func(what string) { d.add("%v %s", time.Since(began), what) }
	return fiber.Plugin{Name: "slow", Inject: []string{"a"}, Apply: func(ctx context.Context, c *fiber.Context) error {
		at("apply")
		_, err := c.Effect(ctx, "e", func(context.Context) (fiber.Disposer, error) {
			return func(context.Context) error { time.Sleep(time.Second); at("undone"); return nil }, nil
		})
		time.Sleep(time.Second)
		at("applied")
		return err
	}}
}

// CR-K11, CR-K12: a transition in flight is not interrupted.
func TestServiceMovesDuringApply(t *testing.T) {
	tests := map[string]struct {
		back time.Duration // when the service is there again
		want []string
	}{
		"CR-K12 back before the end": {800 * time.Millisecond, []string{"0s apply", "1s applied", "2s undone"}},
		"CR-K11 back while unloading": {1200 * time.Millisecond, []string{
			"0s apply", "1s applied", "2s undone", "2s apply", "3s applied", "4s undone",
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var d diary
				root := configured(t, &d, fiber.Config{Patience: time.Millisecond})
				service, _ := root.Provide("a", 1)
				f, _ := root.Plugin(slow(&d))
				time.Sleep(400 * time.Millisecond)
				_, _ = service.Begin(t.Context())
				state(t, f, fiber.Loading)
				time.Sleep(test.back - 400*time.Millisecond)
				if _, err := root.Provide("a", 2); err != nil {
					t.Fatal(err)
				}
				if err := f.Await(deadline(t)); err != nil {
					t.Fatal(err)
				}
				state(t, f, fiber.Active)
				_ = f.Dispose(deadline(t))
				d.want(t, test.want...)
			})
		})
	}
}

// CR-K10: a child of a parent that is disposed of never runs.
func TestChildOfADisposedParent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := tree(t, &d)
		var child *fiber.Fiber
		parent, _ := root.Plugin(fiber.Plugin{Name: "parent", Apply: func(ctx context.Context, c *fiber.Context) error {
			child, _ = c.Plugin(fiber.Plugin{Name: "child", Apply: func(context.Context, *fiber.Context) error {
				d.add("child runs")
				return nil
			}})
			return c.Fiber().Dispose(ctx) // from inside: it marks and returns
		}})
		synctest.Wait()
		if err := parent.Dispose(deadline(t)); err != nil {
			t.Fatal(err)
		}
		state(t, parent, fiber.Disposed)
		state(t, child, fiber.Disposed)
		d.want(t)
	})
}

// Whoever waits for what waits for him is not made to wait.
func TestWaitsThatCannotEnd(t *testing.T) {
	wait := map[string]func(ctx context.Context, self, parent, child *fiber.Fiber) error{
		"dispose self":   func(ctx context.Context, self, _, _ *fiber.Fiber) error { return self.Dispose(ctx) },
		"dispose parent": func(ctx context.Context, _, parent, _ *fiber.Fiber) error { return parent.Dispose(ctx) },
		"dispose root": func(ctx context.Context, self, _, _ *fiber.Fiber) error {
			return self.Context().Root().Fiber().Dispose(ctx)
		},
		"dispose child": func(ctx context.Context, _, _, child *fiber.Fiber) error { return child.Dispose(ctx) },
		"await self":    func(ctx context.Context, self, _, _ *fiber.Fiber) error { return self.Await(ctx) },
		"await parent":  func(ctx context.Context, _, parent, _ *fiber.Fiber) error { return parent.Await(ctx) },
		"await child":   func(ctx context.Context, _, _, child *fiber.Fiber) error { return child.Await(ctx) },
		"restart self":  func(ctx context.Context, self, _, _ *fiber.Fiber) error { return self.Restart(ctx) },
		"quiet":         func(ctx context.Context, self, _, _ *fiber.Fiber) error { return self.Context().Quiet(ctx) },
	}
	for name, call := range wait {
		for _, where := range []string{"apply", "disposer", "setup"} {
			t.Run(name+" in "+where, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					root := tree(t, &diary{})
					parent := mount(t, root, fiber.Plugin{Name: "parent", Apply: nothing})
					self, _ := parent.Context().Plugin(fiber.Plugin{Name: "self", Apply: func(ctx context.Context, c *fiber.Context) error {
						child, err := c.Plugin(fiber.Plugin{Name: "child", Apply: nothing})
						if err != nil {
							return err
						}
						act := func(ctx context.Context) error {
							err := call(ctx, c.Fiber(), parent, child)
							if errors.Is(err, fiber.ErrInside) || errors.Is(err, fiber.ErrInactive) {
								return nil
							}
							return err
						}
						if where == "apply" {
							return act(ctx)
						}
						_, err = c.Effect(ctx, "e", func(ctx context.Context) (fiber.Disposer, error) {
							if where == "setup" {
								return nil, act(ctx)
							}
							return act, nil
						})
						return err
					}})
					if err := self.Await(deadline(t)); err != nil {
						t.Fatal(err)
					}
					if err := self.Dispose(deadline(t)); err != nil {
						t.Fatal(err)
					}
				})
			})
		}
	}
}

// A consumer's disposer disposes of its provider, whose withdrawal waits for the
// consumer; and one disposes of the provider's service by hand.
func TestConsumerDisposesOfProvider(t *testing.T) {
	for _, how := range []string{"fiber", "service"} {
		t.Run(how, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var d diary
				root := tree(t, &d)
				var service *fiber.Effect
				p := mount(t, root, fiber.Plugin{Name: "p", Apply: func(_ context.Context, c *fiber.Context) (err error) {
					service, err = c.Provide("a", 1)
					return err
				}})
				consumer := mount(t, root, fiber.Plugin{Name: "c", Inject: []string{"a"}, Apply: func(ctx context.Context, c *fiber.Context) error {
					_, err := c.Effect(ctx, "e", func(context.Context) (fiber.Disposer, error) {
						return func(ctx context.Context) error {
							defer d.add("undone")
							if how == "service" {
								return service.Dispose(ctx)
							}
							return p.Dispose(ctx)
						}, nil
					})
					return err
				}})
				if err := consumer.Restart(deadline(t)); err != nil {
					t.Fatal(err)
				}
				state(t, consumer, fiber.Pending)
				if err := p.Dispose(deadline(t)); err != nil {
					t.Fatal(err)
				}
				d.want(t, "undone")
			})
		})
	}
}

// 8.6: who fails is undone and named; parents and peers go on.
func TestApplyFails(t *testing.T) {
	bad := errors.New("bad")
	ways := map[string]func() error{
		"error": func() error { return bad },
		"panic": func() error { panic(bad) },
		"later": func() error { return fiber.Later(func(context.Context) (any, error) { return nil, bad }) },
	}
	for name, fail := range ways {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var d diary
				root := tree(t, &d)
				parent := mount(t, root, fiber.Plugin{Name: "parent", Apply: nothing})
				f, _ := parent.Context().Plugin(fiber.Plugin{Name: "f", Apply: func(ctx context.Context, c *fiber.Context) error {
					d.effect(t, ctx, c, "e")
					if _, err := c.Plugin(provider("child")); err != nil {
						return err
					}
					return fail()
				}})
				peer := mount(t, parent.Context(), fiber.Plugin{Name: "peer", Apply: nothing})
				if err := f.Await(deadline(t)); !errors.Is(err, bad) {
					t.Errorf("Await = %v", err)
				}
				state(t, f, fiber.Failed)
				state(t, parent, fiber.Active)
				state(t, peer, fiber.Active)
				if got := f.Effects(); len(got) > 0 {
					t.Errorf("left behind: %v", got)
				}
				lines := counted(d.take())
				if lines["undo e"] != 1 || len(lines) != 2 {
					t.Errorf("what happened: %v", lines)
				}
			})
		})
	}
}

// A Fiber that failed tries again when its services change, and not before.
func TestFailedTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := tree(t, &d)
		tries := 0
		f := mount(t, root, fiber.Plugin{Name: "f", Inject: []string{"a"}, Apply: func(context.Context, *fiber.Context) error {
			if tries++; tries < 3 {
				return fmt.Errorf("try %d", tries)
			}
			return nil
		}})
		first := mount(t, root, provider("a"))
		synctest.Wait()
		state(t, f, fiber.Failed)
		mount(t, root, provider("b"))
		_ = first.Dispose(deadline(t))
		state(t, f, fiber.Failed)
		d.want(t, "log f: apply: try 1")
		mount(t, root, provider("a"))
		synctest.Wait()
		state(t, f, fiber.Failed)
		d.want(t, "log f: apply: try 2")
		if err := f.Restart(deadline(t)); err != nil {
			t.Fatal(err)
		}
		state(t, f, fiber.Active)
		d.want(t)
	})
}

// An Apply that never ends is given up when its Fiber is disposed of, and told.
func TestApplyHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := configured(t, &d, fiber.Config{DisposeTimeout: time.Second})
		let := make(chan struct{})
		f, _ := root.Plugin(fiber.Plugin{Name: "f", Apply: func(ctx context.Context, c *fiber.Context) error {
			d.effect(t, ctx, c, "e")
			<-ctx.Done()
			d.add("told: %v", context.Cause(ctx))
			<-let
			_, err := c.Provide("a", 1)
			d.add("late: %v", err)
			return nil
		}})
		synctest.Wait()
		if err := f.Dispose(deadline(t)); err != nil {
			t.Fatal(err)
		}
		state(t, f, fiber.Disposed)
		if err := root.Fiber().Dispose(deadline(t)); err != nil {
			t.Fatal(err)
		}
		close(let)
		synctest.Wait()
		d.want(t, "told: "+fiber.ErrInactive.Error(), "log f: apply: apply: not undone within 1s, given up", "undo e", "late: "+fiber.ErrInactive.Error())
	})
}

// What waits gives up with its ctx; what is waited for goes on.
func TestDisposeWithADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := tree(t, &d)
		f := mount(t, root, fiber.Plugin{Name: "f", Apply: func(ctx context.Context, c *fiber.Context) error {
			_, err := c.Effect(ctx, "e", func(context.Context) (fiber.Disposer, error) {
				return func(context.Context) error { return after(&d, time.Minute, "undone") }, nil
			})
			return err
		}})
		impatient := errors.New("impatient")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, impatient)
		defer cancel()
		if err := f.Dispose(ctx); !errors.Is(err, impatient) {
			t.Fatalf("Dispose = %v", err)
		}
		d.want(t)
		if err := f.Dispose(context.Background()); err != nil { // joins
			t.Fatal(err)
		}
		d.want(t, "undone")
	})
}

// The ctx of an Apply ends when its Fiber unloads, so that what it started can.
func TestContextOfAnActivation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := tree(t, &d)
		ended := make(chan error, 1)
		f := mount(t, root, fiber.Plugin{Name: "f", Apply: func(ctx context.Context, c *fiber.Context) error {
			go func() {
				<-ctx.Done()
				ended <- c.Fiber().Dispose(ctx) // Apply is long over: this waits, or its ctx ends it
			}()
			return nil
		}})
		_ = f.Dispose(deadline(t))
		if err := <-ended; err != nil && !errors.Is(err, fiber.ErrInactive) {
			t.Error(err)
		}
	})
}

// Each change of a state is told once, in order.
func TestChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		root := configured(t, &d, fiber.Config{Changed: func(f *fiber.Fiber, from, to fiber.State) {
			d.add("%s %v %v", f.Name(), from, to)
			_ = f.State() // may call back
		}})
		f := mount(t, root, fiber.Plugin{Name: "f", Apply: nothing})
		_ = f.Dispose(deadline(t))
		d.want(t, "f pending loading", "f loading active", "f active unloading", "f unloading disposed")
	})
}

func TestNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		root := tree(t, &diary{})
		f := mount(t, root, fiber.Plugin{Name: "f", Apply: nothing})
		unnamed := mount(t, f.Context(), fiber.Plugin{Apply: nothing})
		got := []any{root.Fiber().Name(), root.Fiber().ID(), f.Name(), unnamed.Name(), unnamed.Parent() == f, fiber.State(9).String()}
		if diff := cmp.Diff([]any{"root", 0, "f", "f", true, "unknown"}, got); diff != "" {
			t.Error(diff)
		}
		if _, err := root.Plugin(fiber.Plugin{Name: "none"}); err == nil {
			t.Error("a plugin without Apply was mounted")
		}
	})
}
