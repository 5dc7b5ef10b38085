"""Shared foundations: principals, schedules, content ids, secrets and settings."""
