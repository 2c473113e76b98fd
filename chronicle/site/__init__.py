"""CampaignViews to pages: everything a reader sees, as a pure function of them."""
