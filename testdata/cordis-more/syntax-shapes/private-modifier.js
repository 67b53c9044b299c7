class A {
  private x = 1
}
return () => {}
