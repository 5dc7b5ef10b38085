"""What every room stands on: names of people, schedules, hashes, secrets, settings."""
