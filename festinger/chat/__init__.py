"""Chat bots that post questions on chat platforms and collect the answers.

    memory server ──LeaseQuestions──▶ Bot ──post──▶ adapter ──▶ Matrix, Slack, webhook
          ▲                            ▲                               │
          └──Answer, on behalf of──────┴── state on disk ◀──Answers────┘

A bot is a gRPC client of `ValidationService` and nothing more: it does not interpret
votes. An answer is written to disk before it is acknowledged to the platform, and is
marked as settled when the server has committed it. The platform and the server need not
be available at the same time, and no answer is lost or counted twice.
"""
