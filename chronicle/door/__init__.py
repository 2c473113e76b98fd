"""The web server of the desk on this computer: the page over HTTP, questions and answers over a WebSocket."""
