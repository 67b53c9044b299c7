interface Foo { a: string }
return () => {}
