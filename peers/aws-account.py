"""Creates (`create`) or changes (`change`, then `change-buckets`) resources of ten services in a simulated AWS account."""

import json
import sys

import boto3


def client(service):
    return boto3.client(service, region_name="us-east-1")


def create():
    for bucket in ("invoices", "exports", "website"):
        client("s3").create_bucket(Bucket=bucket)
    iam = client("iam")
    iam.create_user(UserName="deploy")
    # Two keys, because the scanner reports both with the same finding uid.
    for _ in range(2):
        iam.create_access_key(UserName="deploy")
    trust = {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
    iam.create_role(
        RoleName="worker",
        AssumeRolePolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [trust]}),
    )
    client("sqs").create_queue(QueueName="jobs")
    client("sns").create_topic(Name="alerts")
    client("kms").create_key(Description="backups")
    client("dynamodb").create_table(
        TableName="orders",
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    client("secretsmanager").create_secret(Name="database", SecretString="example")
    client("ecr").create_repository(repositoryName="app")
    client("logs").create_log_group(logGroupName="/app")
    client("efs").create_file_system(CreationToken="shared")


def change():
    """Adds and removes resources, and changes the results of checks for existing ones."""
    s3 = client("s3")
    s3.delete_bucket(Bucket="website")
    client("secretsmanager").delete_secret(SecretId="database", ForceDeleteWithoutRecovery=True)
    s3.create_bucket(Bucket="backups")
    for bucket in ("invoices", "exports"):
        s3.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    client("sqs").create_queue(QueueName="retries")
    client("dynamodb").update_continuous_backups(
        TableName="orders",
        PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True},
    )
    ecr = client("ecr")
    ecr.put_image_scanning_configuration(
        repositoryName="app", imageScanningConfiguration={"scanOnPush": True}
    )
    client("iam").update_account_password_policy(MinimumPasswordLength=16, RequireSymbols=True)


def change_buckets():
    """Changes only buckets: one has a worse result, one is removed, and one is new."""
    s3 = client("s3")
    s3.put_bucket_versioning(Bucket="invoices", VersioningConfiguration={"Status": "Suspended"})
    s3.delete_bucket(Bucket="exports")
    s3.create_bucket(Bucket="reports")


if __name__ == "__main__":
    {"create": create, "change": change, "change-buckets": change_buckets}[sys.argv[1]]()
