const f = ()
  => 1
return f
