class A {
  @log
  method() {}
}
return () => {}
