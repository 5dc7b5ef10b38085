"""The bots: they ask people where they already are, and take their answers.

    memory server ──LeaseQuestions──▶ Bot ──post──▶ adapter ──▶ Matrix, Slack, webhook
          ▲                            ▲                               │
          └──Answer, on behalf of──────┴── notes on disk ◀──Heard──────┘

A bot is a gRPC client of `ValidationService` and nothing more: what a vote means is not
known here. What is heard is written down before it is acknowledged to the platform, and
crossed out when the server has committed it, so that neither may be away at the same time
as the other, and nothing is lost or counted twice.
"""
