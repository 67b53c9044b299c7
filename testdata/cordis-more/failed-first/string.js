return 'plugin'
