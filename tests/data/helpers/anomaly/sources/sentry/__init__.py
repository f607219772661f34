"""Teacher/student discrepancy and nearest patches, in one detector."""
