# What the packages hold (packaging/); paths follow the Debian file hierarchy.
include(GNUInstallDirs)
