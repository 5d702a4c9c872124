"""Training from the same specs: SFT and GRPO."""
