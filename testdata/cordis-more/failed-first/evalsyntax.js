new Function('return )')
