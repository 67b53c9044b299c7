enum Color { Red }
return () => {}
