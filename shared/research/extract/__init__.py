"""Reports by rule: sentences of sources that answer a question, chosen, set in order and cited. It never rewords."""
