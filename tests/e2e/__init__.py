"""The whole of it: real Postgres, real gRPC, real HTTP, a stand-in for Ollama."""
