// The page's behaviour: imports the modules beside it.
