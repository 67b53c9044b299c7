return () => {}
