const 名 = '日本語'; const x = );
return () => {}
