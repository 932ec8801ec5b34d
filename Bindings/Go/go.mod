module github.com/OWNER/assay/Bindings/Go

go 1.19
