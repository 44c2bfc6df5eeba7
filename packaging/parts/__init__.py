"""The kinds of packages, one file each."""
